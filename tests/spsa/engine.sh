# An engine that declares odd options and moves its rook to and fro. The number Manner decides what is wrong with it.
manner=0
while read -r command rest; do
    case $command in
    usi)
        echo 'id name Script'
        echo 'option name Manner type spin default 0 min 0 max 9'
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
    isready) echo readyok ;;
    position)
        moves=${rest#* moves }
        [ "$moves" = "$rest" ] && moves=
        set -- $moves
        count=$#
        ;;
    go)
        case $manner in
        1) [ $count -gt 3 ] && exit 3 ;;
        2) echo 'bestmove 5e5d' && continue ;;
        3) continue ;;
        esac
        case $((count % 4)) in
        0) echo 'bestmove 2h3h' ;;
        1) echo 'bestmove 8b7b' ;;
        2) echo 'bestmove 3h2h' ;;
        3) echo 'bestmove 7b8b' ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
