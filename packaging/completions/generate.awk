# generate.awk - the choices, then --help=all, become the completions of one shell.
#
#   "  -o, --output F   text (default)," --> letter "o", name "output", argument "F", what "text"

FNR == NR {
    if ($1 != "#") {
        key = $1 " " $2
        sub(/^[^ ]+ [^ ]+ /, "")
        choices[key] = $0
    }
    next
}

# An option: its letter and name, its argument, and after two spaces what it does.
/^  (-., |    )--[a-z]/ {
    n++
    letter[n] = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : ""
    text = substr($0, 9)
    name[n] = text
    sub(/[ [].*/, "", name[n])
    rest = substr(text, length(name[n]) + 1)
    argument[n] = rest ~ /^ [^ ]/ ? rest : ""
    sub(/^ /, "", argument[n])
    sub(/ .*/, "", argument[n])
    what[n] = substr(rest, length(argument[n]) + 2)
    sub(/^ +/, "", what[n])
    next
}
# The lines that go on with what it does.
n > 0 && /^          +[^ ]/ {
    text = $0
    sub(/^ +/, "", text)
    what[n] = what[n] (what[n] == "" ? "" : " ") text
}

# What stands between quotes in all three shells.
function plain(text) {
    gsub(/['"\[\]`$\\]/, "", text)
    return text
}

# What the argument is: "" (none), words, files, directories, or text of the user's own.
function kind(i) {
    if (argument[i] == "") return ""
    if ((name[i] " " argument[i]) in choices) return "words"
    if (argument[i] == "DIR") return "directories"
    return argument[i] ~ /^((\[LABEL=\])?FILE|PREFIX|T)$/ ? "files" : "text"
}

function words(i) {
    return choices[name[i] " " argument[i]]
}

# A second row of --channel, for another kind of input, adds nothing.
function is_twin(i, k) {
    for (k = 1; k < i; k++)
        if (name[k] == name[i]) return 1
    return 0
}

function bash_writer(i, all, f) {
    f = "_" program
    gsub(/-/, "_", f)
    print "# " program ", for bash-completion"
    print f "() {"
    print "    local cur prev words cword split"
    print "    _init_completion -s || return"
    print "    case $prev in"
    for (i = 1; i <= n; i++) {
        if (is_twin(i)) continue
        all = all " --" name[i] (letter[i] == "" ? "" : " -" letter[i])
        if (argument[i] == "") continue
        printf "    --%s%s) ", name[i], letter[i] == "" ? "" : " | -" letter[i]
        if (kind(i) == "words")
            printf "mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\"); ", words(i)
        else if (kind(i) != "text")
            printf "_filedir%s; ", kind(i) == "files" ? "" : " -d"
        print "return ;;"
    }
    print "    esac"
    print "    $split && return"
    print "    case $cur in"
    print "    -*) mapfile -t COMPREPLY < <(compgen -W '" substr(all, 2) "' -- \"$cur\") ;;"
    print "    *) _filedir ;;"
    print "    esac"
    print "} && complete -F " f " " program
}

function zsh_action(i, k) {
    k = kind(i)
    if (k == "") return ""
    return ":" argument[i] ":" (k == "words" ? "(" words(i) ")" : k == "files" ? "_files" : k == "directories" ? "_files -/" : "")
}

function zsh_writer(i, end, equals, repeat) {
    print "#compdef " program
    print "_arguments -s -S \\"
    for (i = 1; i <= n; i++) {
        if (is_twin(i)) continue
        equals = argument[i] == "" ? "" : "="
        end = "[" plain(what[i]) "]" zsh_action(i) "' \\"
        repeat = what[i] ~ /may be repeated/ ? "*" : ""
        if (letter[i] == "")
            print "    '" repeat "--" name[i] equals end
        else
            print "    '" (repeat == "" ? "(-" letter[i] " --" name[i] ")" : "*") \
                "'{-" letter[i] (equals == "" ? "" : "+") ",--" name[i] equals "}'" end
    }
    print "    '*:file:_files'"
}

function fish_writer(i, line, k) {
    print "# " program ", for fish"
    for (i = 1; i <= n; i++) {
        if (is_twin(i)) continue
        k = kind(i)
        line = "complete -c " program (letter[i] == "" ? "" : " -s " letter[i]) " -l " name[i]
        if (k == "words")
            line = line " -x -a '" words(i) "'"
        else if (k == "files")
            line = line " -r -F"
        else if (k == "directories")
            line = line " -x -a '(__fish_complete_directories)'"
        else if (k == "text")
            line = line " -x"
        print line " -d '" plain(what[i]) "'"
    }
}

END {
    if (n == 0) exit 1
    if (shell == "bash") bash_writer()
    else if (shell == "zsh") zsh_writer()
    else fish_writer()
}
