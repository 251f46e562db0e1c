import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** What programs of the system and LibreOffice read: where they, their libraries and fonts lie, and how those are set. */
const SYSTEM_PATHS = [
  ...['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/share'],
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/usr/local/share/fonts', '/var/cache/fontconfig'],
  ...['/etc/fonts', '/etc/libreoffice', '/etc/alternatives', '/etc/ld.so.cache'],
];

/**
 * Run as the first process of namespaces of its own: makes a root in which nothing is but what is named, for reading
 * alone, the folder of the document, and what LibreOffice does not start without: a list of its own processes, and a
 * place for its socket (/tmp, whatever TMPDIR is). Then it becomes the command.
 */
const SANDBOX_SCRIPT = `set -eu
PATH=$PATH:/usr/sbin:/sbin
own=$1; root=$own/root; shift
mount --make-rprivate /
mkdir -p "$root"
mount -t tmpfs -o mode=0755,size=16m,nosuid,nodev none "$root"
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then cp -P "$1" "$root$1"
  else
    mkdir -p "$root$(dirname "$1")"
    if [ -d "$1" ]; then mkdir -p "$root$1"; else : > "$root$1"; fi
    mount --bind "$1" "$root$1"
    mount -o remount,bind,ro "$root$1"
  fi
  shift
done
shift
while [ "$1" != -- ]; do
  if [ -d "$root$1" ]; then mount -t tmpfs -o ro none "$root$1"; fi
  shift
done
shift
mkdir -p "$root$own" "$root/tmp" "$root/dev" "$root/proc" "$root/old"
for name in null zero random urandom; do : > "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mount --bind "$own" "$root$own"
mount -t proc none "$root/proc"
cd "$root"
pivot_root . old
umount -l /old
cd "$own"
exec "$@"
`;

/**
 * How a command is started that sees nothing of this machine but programs of the system, and this folder: no other file,
 * no process, no network. Whether the system allows that is found out by trying.
 * @param own its folder, which it may change
 * @param program of which more may have to be seen
 * @param hidden folders that are not seen in any case
 */
export function sandboxCommand(workFolder: string, program: string, hidden: readonly string[]): readonly string[] {
  const visiblePaths = [...SYSTEM_PATHS, ...installationPaths(program)].filter((path) => existsSync(path));
  // With its first process all others end.
  const unshareCommand = [
    'unshare',
    '--map-root-user',
    '--mount',
    '--net',
    '--pid',
    '--ipc',
    '--fork',
    '--kill-child',
    '--',
  ];
  return [
    ...unshareCommand,
    '/bin/sh',
    '-c',
    SANDBOX_SCRIPT,
    'jail',
    workFolder,
    ...visiblePaths,
    '--',
    ...hidden.filter((path) => path !== '/'),
    '--',
  ];
}

/** Where a program lies that does not come with the system: its folder when it is one of LibreOffice, else itself. */
function installationPaths(program: string): string[] {
  const path = realpathSync(program);
  const paths = basename(dirname(path)) === 'program' ? [dirname(dirname(path))] : [path];
  if (program !== path) paths.push(program);
  return paths.filter((place) => !SYSTEM_PATHS.some((folder) => place.startsWith(`${folder}/`)));
}
