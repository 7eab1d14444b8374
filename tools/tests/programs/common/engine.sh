# A faulty engine: the option Behaviour selects the failure. By default it moves its rook back and forth. Values of the option number are
# appended to the file numbers.
behaviour=
games=0
while read -r command rest; do
    case $command in
    usi)
        echo 'id name Script'
        echo 'option name Behaviour type string default <empty>'
        echo 'option name number type spin default 5 min 0 max 20'
        echo 'option name Torn type spin default 5 min 9 max 1'
        echo 'option name Stuck type spin default 3 min 3 max 3'
        echo 'option name Style type combo default a var a var b'
        echo usiok
        ;;
    setoption)
        case $rest in
        'name Behaviour value '*) behaviour=${rest##* } ;;
        'name number value '*) echo "${rest##* }" >>numbers ;;
        esac
        ;;
    isready)
        games=$((games + 1))
        [ "$behaviour" = unready ] && [ $games -gt 2 ] && continue
        echo readyok
        ;;
    position)
        moves=${rest#* moves }
        [ "$moves" = "$rest" ] && moves=
        set -- $moves
        count=$#
        ;;
    go)
        case $behaviour in
        silent | on_stop) continue ;;
        exit) [ $count -gt 3 ] && exit 3 ;;
        illegal) echo 'bestmove 5e5d' && continue ;;
        none) echo 'bestmove (none)' && continue ;;
        empty) echo bestmove && continue ;;
        resign) echo 'bestmove resign' && continue ;;
        win) echo 'bestmove win' && continue ;;
        slow) sleep 0.4 ;;
        info) while echo 'info string still here'; do sleep 0.01; done ;;
        lines) while echo 'well'; do :; done ;;
        long_line) while printf '%8192s' x; do :; done ;;
        close) exec >&- ;;
        esac
        case $((count % 4)) in
        0) echo 'info depth 3 score cp 40 nps 1000 pv 2h3h' && echo 'bestmove 2h3h' ;;
        1) echo 'info depth 5 score mate -4 pv 8b7b' && echo 'bestmove 8b7b ponder 3h2h' ;;
        2) echo 'bestmove 3h2h' ;;
        3) echo 'bestmove 7b8b' ;;
        esac
        ;;
    stop)
        [ "$behaviour" = on_stop ] && echo 'bestmove 2h3h'
        ;;
    quit) exit 0 ;;
    esac
done
