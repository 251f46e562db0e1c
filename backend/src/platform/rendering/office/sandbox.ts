import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Paths that system programs and LibreOffice read: programs, libraries, fonts and their configuration. */
const SYSTEM_PATHS = [
  ...['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/share'],
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/usr/local/share/fonts', '/var/cache/fontconfig'],
  ...['/etc/fonts', '/etc/libreoffice', '/etc/alternatives', '/etc/ld.so.cache'],
];

/**
 * Runs as the first process of new namespaces. Creates a root with only the given paths (read-only), the document's
 * folder, and what LibreOffice needs to start: a list of its own processes, and a folder for its socket (/tmp, whatever
 * TMPDIR is). Then executes the command.
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
 * Returns a command prefix for running a program that sees nothing of this machine but system programs and its work
 * folder: no other files, processes or network. Whether the system supports this is found out by trying.
 * @param workFolder its writable folder
 * @param program its installation folder is made visible too
 * @param hidden folders that are never visible
 */
export function sandboxCommand(workFolder: string, program: string, hidden: readonly string[]): readonly string[] {
  const visiblePaths = [...SYSTEM_PATHS, ...installationPaths(program)].filter((path) => existsSync(path));
  // When the first process of the namespace exits, all others are killed.
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

/**
 * Returns where a program is installed that isn't part of the system: the folder of a LibreOffice installation, else
 * the program itself.
 */
function installationPaths(program: string): string[] {
  const path = realpathSync(program);
  const paths = basename(dirname(path)) === 'program' ? [dirname(dirname(path))] : [path];
  if (program !== path) paths.push(program);
  return paths.filter((path) => !SYSTEM_PATHS.some((folder) => path.startsWith(`${folder}/`)));
}
