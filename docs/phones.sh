# The phones of docs/owners-guide.md, for bash: 1,000 clients of the app Acorn. Three of four have the plan pro, one of four
# speaks German, and each has been installed for up to 29 days.

API=${API:-http://127.0.0.1:8080/v1/apps/acorn}

# url N: what phone N polls.
url() {
    local plan=pro locale=en-US
    (($1 % 4)) || plan=free
    (($1 % 4 == 3)) && locale=de
    echo "$API/messages?client_id=phone-$1&surface=microsurvey&locale=$locale&plan=$plan&days_since_install=$(($1 % 30))"
}

# poll_all: each polls once.
poll_all() {
    local n
    for n in $(seq 1000); do echo "url = \"$(url "$n")\""; done | curl -s -K - > polls.txt
}

# send N ROUTE MEMBERS: phone N reports something.
send() { curl -s "$API/$2" --json "{\"client_id\": \"phone-$1\", $3}" >> answers.txt; }

# use FIRST LAST: these phones write notes and poll; who is asked sees the survey, and answers it or not. The short invitation
# finds the more willing.
use() {
    local n offer willing seen opened
    seen='{"type": "message", "action": "displayed", "message": "editor"}'
    opened='{"type": "message", "action": "clicked", "message": "editor"},
        {"type": "microsurvey", "action": "shown", "message": "editor"}'
    for n in $(seq "$1" "$2"); do
        send "$n" events '"events": [{"type": "behavior", "name": "note_saved", "count": '$((1 + n % 5))'}]'
        offer=$(curl -s "$(url "$n")")
        [[ $offer == *'"key":"editor"'* ]] || continue
        willing=3
        [[ $offer == *'"branch":"short"'* ]] && willing=5
        if ((n % 7 < willing)); then
            send "$n" events "\"events\": [$seen, $opened]"
            send "$n" responses '"message": "editor", "option": "'$((4 - n % 11 % 5))'"'
        else
            send "$n" events "\"events\": [$seen]"
        fi
    done
}

# again FIRST LAST: some of these phones write notes later, whatever they were shown.
again() {
    local n
    for n in $(seq "$1" "$2"); do
        ((n * 7 % 10 < 6)) && send "$n" events '"events": [{"type": "behavior", "name": "note_saved"}]'
    done
}
