import { basename } from "node:path";
import { UsageError } from "../../proxy/listen-spec.ts";
import { EXIT } from "../exit-codes.ts";
import { type Streams, writeResult } from "../streams.ts";
import { didYouMean } from "../suggest.ts";

// yargs tells completions apart by SHELL: for zsh each has its description behind a colon.
const BASH = `# wiretally completion bash >> ~/.bashrc
_wiretally_completions() {
  local words=("\${COMP_WORDS[@]:0:COMP_CWORD+1}")
  mapfile -t COMPREPLY < <(
    compgen -W "$(ZSH_NAME= SHELL=bash wiretally --get-yargs-completions "\${words[@]}")" -- "\${words[COMP_CWORD]}"
  )
}
complete -o bashdefault -o default -F _wiretally_completions wiretally
`;
const ZSH = `#compdef wiretally
# wiretally completion zsh >> ~/.zshrc, or into a file _wiretally in a folder of $fpath
_wiretally() {
  local -a found
  found=("\${(@f)$(SHELL=zsh wiretally --get-yargs-completions "\${(@)words[1,CURRENT]}")}")
  if [[ -n "$found" ]]; then
    _describe 'wiretally' found
  else
    _default
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _wiretally "$@"
else
  compdef _wiretally wiretally
fi
`;
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["bash", BASH],
  ["zsh", ZSH],
]);

/**
 * `wiretally completion [shell]`. Resolves to the exit code; a shell without a script is a UsageError.
 * @param asked the shell's name; undefined: that of $SHELL.
 */
export async function completionCommand(asked: unknown, streams: Streams): Promise<number> {
  const shell = asked === undefined ? basename(streams.env["SHELL"] ?? "") : String(asked);
  if (shell === "") throw new UsageError("which shell? (wiretally completion bash, or zsh)");
  const script = SCRIPTS.get(shell);
  if (script === undefined) {
    const shells = [...SCRIPTS.keys()];
    throw new UsageError(`no completion script for ${shell}, only for ${shells.join(" and ")}${didYouMean(shell, shells)}`);
  }
  await writeResult(streams, script);
  return EXIT.done;
}
