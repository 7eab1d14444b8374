# An engine of few words and odd options. Manner decides how it plays; by itself it moves its rook to and fro. What number it is told it
# writes down.
manner=
games=0
while read -r command rest; do
    case $command in
    usi)
        echo 'id name Script'
        echo 'option name Manner type string default <empty>'
        echo 'option name number type spin default 5 min 0 max 20'
        echo 'option name Torn type spin default 5 min 9 max 1'
        echo 'option name Stuck type spin default 3 min 3 max 3'
        echo 'option name Style type combo default a var a var b'
        echo usiok
        ;;
    setoption)
        case $rest in
        'name Manner value '*) manner=${rest##* } ;;
        'name number value '*) echo "${rest##* }" >>numbers ;;
        esac
        ;;
    isready)
        games=$((games + 1))
        [ "$manner" = once ] && [ $games -gt 2 ] && continue
        echo readyok
        ;;
    position)
        moves=${rest#* moves }
        [ "$moves" = "$rest" ] && moves=
        set -- $moves
        count=$#
        ;;
    go)
        case $manner in
        silent | called) continue ;;
        mortal) [ $count -gt 3 ] && exit 3 ;;
        illegal) echo 'bestmove 5e5d' && continue ;;
        none) echo 'bestmove (none)' && continue ;;
        empty) echo bestmove && continue ;;
        resigning) echo 'bestmove resign' && continue ;;
        boasting) echo 'bestmove win' && continue ;;
        slow) sleep 0.4 ;;
        chatting) while echo 'info string still here'; do sleep 0.01; done ;;
        talking) while echo 'well'; do :; done ;;
        endless) while printf '%8192s' x; do :; done ;;
        hollow) exec >&- ;;
        esac
        case $((count % 4)) in
        0) echo 'info depth 3 score cp 40 nps 1000 pv 2h3h' && echo 'bestmove 2h3h' ;;
        1) echo 'info depth 5 score mate -4 pv 8b7b' && echo 'bestmove 8b7b ponder 3h2h' ;;
        2) echo 'bestmove 3h2h' ;;
        3) echo 'bestmove 7b8b' ;;
        esac
        ;;
    stop)
        [ "$manner" = called ] && echo 'bestmove 2h3h'
        ;;
    quit) exit 0 ;;
    esac
done
