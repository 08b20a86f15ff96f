"""cvc5 behind a pipe: reads SMT-LIB commands, a line each, and answers.

The wheel of cvc5 has no program, only the library.
"""

import sys

import cvc5


def main():
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    symbols = cvc5.SymbolManager(terms)
    for line in sys.stdin:
        parser = cvc5.InputParser(solver, symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "pipe")
        while not (command := parser.nextCommand()).isNull():
            sys.stdout.write(str(command.invoke(solver, symbols) or ""))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
