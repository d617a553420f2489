/** Numbers of the system call `prctl`, by the names that Node has for architectures. */
const PRCTL: Readonly<Record<string, number>> = {
  x64: 157,
  arm64: 167,
  riscv64: 167,
  loong64: 167,
  arm: 172,
  ia32: 172,
  s390x: 172,
  ppc64: 171,
};

/** Program that runs the launcher. */
export const SUBREAPER = 'perl';
/** File descriptor on which the launcher reports the exit of its program. */
export const STATUS_FD = 3;

/**
 * Program in Perl, which Node cannot express: it calls `prctl(PR_SET_CHILD_SUBREAPER)`, starts the command and waits. The
 * kernel makes the launcher the parent of every orphan below it, so that no daemon loses its last link to the tree. If
 * orphans are left at the exit of the command, the launcher reports the exit and stays until they have ended.
 */
const SCRIPT = `
use strict;
my $call = shift @ARGV;
syscall($call, 36, 1, 0, 0, 0) == 0 or exit 125;
open(my $report, '>&=', ${STATUS_FD});
my $main = fork;
defined $main or exit 126;
if ($main == 0) { close $report if $report; exec { $ARGV[0] } @ARGV; exit 127; }
$SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT PIPE);
open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null');
my $status = 0;
while ((my $gone = waitpid(-1, 0)) > 0) {
  next if $gone != $main;
  $status = $?;
  my $left = waitpid(-1, 1);
  $left = waitpid(-1, 1) while $left > 0;
  if ($left == 0 && $report) { syswrite $report, "$status\\n"; close $report; }
}
if (my $signal = $status & 127) { $SIG{$_} = 'DEFAULT' for keys %SIG; kill $signal, $$; sleep 1; }
exit($status >> 8);
`;

/** Returns the words before a command that make the command a child of a subreaper. Undefined on other systems. */
export function subreaperLauncher(): readonly string[] | undefined {
  const call = process.platform === 'linux' ? PRCTL[process.arch] : undefined;
  return call === undefined ? undefined : [SUBREAPER, '-e', SCRIPT, String(call)];
}

/** Reads the status of `wait(2)` that the launcher has reported. */
export function readWaitStatus(text: string): { exitCode?: number; signal?: number } | undefined {
  const status = /^(\d+)\n/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const signal = Number(status) & 127;
  return signal === 0 ? { exitCode: Number(status) >> 8 } : { signal };
}
