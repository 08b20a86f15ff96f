; A price and its tax.
(declare-const net Real)
(declare-const tax Real)
(assert (= tax (* 0.19 net)))
(push 1)
(assert (= (+ net tax) 119.0))
(set-info :status sat)
(check-sat)
(pop 1)
(assert (< net 0.0))
(assert (> tax 0.0))
; embedded: unknown
(set-info :status unsat)
(check-sat)
