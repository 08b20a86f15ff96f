%% PropEr on two problems of the search bench: the longest path and the machine. Defined as in
%% examples/search/, written for the PropEr that Debian has (erlang-proper 1.2), whose properties
%% are searched by ?FORALL_SA and ?TARGET.
%%
%% Prints a line of JSON for each run: the problem, the case, whether a failure was found, after
%% how many tests, and the CPU nanoseconds of the VM.
-module(search).
-export([main/0]).
-include_lib("proper/include/proper.hrl").

-define(RUNS, 3).
-define(TESTS, 10000).
-define(VERTICES, 42).
-define(HOPS, 21).
-define(CELLS, 10).
-define(LONG, 50).

main() ->
    [case_of("graph(42)", Case, graph_property(Case))
     || Case <- [random, by_hand, constructed]],
    [case_of(name(Bug), Case, machine_property(Bug, Case))
     || Bug <- [add, push, load, store_a, store_b, store_c],
        Case <- [random, by_hand, constructed]].

%% Runs a property some times and counts its evaluations.
case_of(Problem, Case, Property) ->
    [run(Problem, Case, Property) || _ <- lists:seq(1, ?RUNS)].

run(Problem, Case, Property) ->
    Count = counters:new(1, []),
    {Start, _} = statistics(runtime),
    Options = [{numtests, ?TESTS}, {start_size, 42}, {max_size, 42}, noshrink, quiet,
               long_result],
    Result = proper:quickcheck(Property(Count), Options),
    {End, _} = statistics(runtime),
    io:format("{\"problem\":\"~s\",\"case\":\"~s\",\"found\":~p,\"tests\":~p,"
              "\"cpu_ns\":~p,\"reached\":null}~n",
              [Problem, label(Case), Result =/= true, counters:get(Count, 1),
               (End - Start) * 1000000]).

label(by_hand) -> "by hand";
label(Case) -> atom_to_list(Case).

%% The longest path.

graph_property(random) ->
    fun(Count) -> ?FORALL(G, graph(?VERTICES), short(Count, G)) end;
graph_property(by_hand) ->
    Target = #{first => graph(?VERTICES), next => fun(G, _T) -> next_graph(G) end},
    fun(Count) -> ?FORALL_SA(G, ?TARGET(Target), aims_at_long(Count, G)) end;
graph_property(constructed) ->
    fun(Count) ->
        ?FORALL_SA(G, ?TARGET(#{gen => graph(?VERTICES)}), aims_at_long(Count, G))
    end.

short(Count, G) ->
    counters:add(Count, 1, 1),
    longest(G) < ?HOPS.

aims_at_long(Count, G) ->
    counters:add(Count, 1, 1),
    Longest = longest(G),
    ?MAXIMIZE(Longest),
    Longest < ?HOPS.

graph(N) ->
    Vs = lists:seq(1, N),
    ?LET(Es, list(edge(Vs)), {Vs, lists:usort(Es)}).

edge(Vs) ->
    ?SUCHTHAT({A, B}, {oneof(Vs), oneof(Vs)}, A < B).

longest({_, Es}) ->
    Near = lists:foldl(
             fun({A, B}, Map) -> add(A, B, add(B, A, Map)) end, #{}, Es),
    walk([1], #{1 => 0}, Near, 0).

add(A, B, Map) ->
    maps:update_with(A, fun(Bs) -> [B | Bs] end, [B], Map).

%% One ring of vertices after the other.
walk([], _Seen, _Near, Depth) ->
    max(0, Depth - 1);
walk(Ring, Seen, Near, Depth) ->
    Next = lists:usort([B || A <- Ring, B <- maps:get(A, Near, []), not maps:is_key(B, Seen)]),
    Seen1 = lists:foldl(fun(B, Map) -> Map#{B => Depth + 1} end, Seen, Next),
    walk(Next, Seen1, Near, Depth + 1).

%% Some edges less, some more.
next_graph({Vs, Es}) ->
    Size = length(Es),
    ?LET({NewSize, Exchanged}, {near(Size), near(Size div 10)},
         begin
             Removed = Exchanged + max(0, Size - NewSize),
             Added = Exchanged + max(0, NewSize - Size),
             ?LET({Order, New}, {vector(Size, float(0.0, 1.0)), vector(Added, edge(Vs))},
                  begin
                      Shuffled = [E || {_, E} <- lists:sort(lists:zip(Order, Es))],
                      Kept = lists:nthtail(min(Removed, Size), Shuffled),
                      {Vs, lists:usort(Kept ++ New)}
                  end)
         end).

near(N) ->
    Offset = N div 20 + 1,
    ?LET(X, integer(N - Offset, N + Offset), max(0, X)).

%% The machine.

name(store_a) -> "STORE A";
name(store_b) -> "STORE B";
name(store_c) -> "STORE C";
name(Bug) -> string:uppercase(atom_to_list(Bug)).

machine_property(Bug, random) ->
    fun(Count) -> ?FORALL(P, program(), element(1, tested(Count, P, Bug))) end;
machine_property(Bug, by_hand) ->
    Target = #{first => program(), next => fun next_program/2},
    fun(Count) -> ?FORALL_SA(P, ?TARGET(Target), aims_at_steps(Count, P, Bug)) end;
machine_property(Bug, constructed) ->
    fun(Count) ->
        ?FORALL_SA(P, ?TARGET(#{gen => program()}), aims_at_steps(Count, P, Bug))
    end.

aims_at_steps(Count, P, Bug) ->
    {Holds, Steps} = tested(Count, P, Bug),
    %% This PropEr cannot start a search anew; beyond what is long, longer is no better.
    ?MAXIMIZE(min(Steps, ?LONG)),
    Holds.

tested(Count, Parts, Bug) ->
    counters:add(Count, 1, 1),
    Program = lists:append(Parts),
    {Steps, First} = execute(Program, 1, Bug),
    {_, Second} = execute(Program, 2, Bug),
    Holds = First =:= stuck orelse Second =:= stuck orelse same(First, Second),
    {Holds, Steps}.

same(First, Second) ->
    lists:all(fun({{X, l}, {Y, l}}) -> X =:= Y;
                 ({{_, A}, {_, B}}) -> A =:= B
              end, lists:zip(tuple_to_list(First), tuple_to_list(Second))).

execute(Program, Run, Bug) ->
    step(Program, [], erlang:make_tuple(?CELLS, {0, l}), 0, Run, Bug).

step([halt | _], _S, M, N, _Run, _Bug) -> {N + 1, M};
step([I | Rest], S, M, N, Run, Bug) ->
    case apply_to(I, S, M, Run, Bug) of
        stuck -> {N, stuck};
        {S1, M1} -> step(Rest, S1, M1, N + 1, Run, Bug)
    end;
step([], _S, _M, N, _Run, _Bug) -> {N, stuck}.

apply_to(noop, S, M, _Run, _Bug) -> {S, M};
apply_to({push, {low, V}}, S, M, _Run, _Bug) -> {[{V, l} | S], M};
apply_to({push, {high, V1, V2}}, S, M, Run, Bug) ->
    V = case Run of 1 -> V1; 2 -> V2 end,
    Label = case Bug of push -> l; _ -> h end,
    {[{V, Label} | S], M};
apply_to(pop, [_ | S], M, _Run, _Bug) -> {S, M};
apply_to(add, [{X, A}, {Y, B} | S], M, _Run, Bug) ->
    Label = case Bug of add -> l; _ -> join(A, B) end,
    {[{X + Y, Label} | S], M};
apply_to(load, [{P, A} | S], M, _Run, Bug) when P >= 0, P < ?CELLS ->
    {V, C} = element(P + 1, M),
    Label = case Bug of load -> C; _ -> join(A, C) end,
    {[{V, Label} | S], M};
apply_to(store, [{P, A}, {V, B} | S], M, _Run, Bug) when P >= 0, P < ?CELLS ->
    {_, C} = element(P + 1, M),
    case Bug =:= store_b orelse join(A, C) =:= C of
        true ->
            Label = case Bug of store_a -> B; store_c -> l; _ -> join(A, B) end,
            {S, setelement(P + 1, M, {V, Label})};
        false -> stuck
    end;
apply_to(_, _S, _M, _Run, _Bug) -> stuck.

join(l, l) -> l;
join(_, _) -> h.

program() ->
    ?LET(N, integer(20, 50), vector(N, part())).

part() ->
    frequency([{10, ?LET(I, instruction(), [I])},
               {1, [push(small()), push(small()), add]},
               {1, [push(address()), load]},
               {1, [push(small()), push(address()), store]}]).

instruction() ->
    frequency([{40, noop}, {120, halt}, {400, push(small())}, {40, pop}, {40, add},
               {40, load}, {40, store}]).

push(Value) -> {push, oneof([{low, Value}, {high, Value, Value}])}.

small() -> oneof([integer(-10, 10), address()]).

address() -> integer(0, 10).

%% Some parts less, some more; those that stay are not changed.
next_program(Parts, T) ->
    Share = 0.3 * T,
    ?LET({Kept, Added, New},
         {vector(length(Parts), float(0.0, 1.0)), vector(length(Parts), float(0.0, 1.0)),
          vector(length(Parts) + 1, part())},
         begin
             [Last | More] = New,
             Changed = [changed(K < Share, A < Share, P, N)
                        || {K, {A, {P, N}}}
                               <- lists:zip(Kept, lists:zip(Added, lists:zip(Parts, More)))],
             lists:append(Changed) ++ [Last]
         end).

changed(Removes, Adds, Part, New) ->
    [New || Adds] ++ [Part || not Removes].
