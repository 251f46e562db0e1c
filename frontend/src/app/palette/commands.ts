import type { SvgIconComponent } from '@mui/icons-material';
import { foldForSearch } from '../../shared/format/fold';

/** One line of the palette: a place to go to, or something to do. */
export interface Command {
  id: string;
  group: 'zones' | 'found' | 'texts' | 'pages' | 'actions';
  name: string;
  /** Said below the name, such as where a file lies. */
  detail?: string;
  icon: SvgIconComponent;
  /** Seen through a mirror. */
  mirrored?: boolean;
  /** An address to go to, or what to do. */
  run: string | (() => void);
}

/** The order in which the groups stand. */
export const groups = ['zones', 'found', 'texts', 'pages', 'actions'] as const;

/** What the server found fits already, and stands as it came. */
const isFound = (group: Command['group']): boolean => group === 'found' || group === 'texts';

/** Most lines of a group that is matched here. */
const mostMatched = 6;

/**
 * How well a name fits what was typed: every word must be in it; a name that begins with it is better than one with a
 * word that does, and that better than one that only holds it.
 * @returns null when it does not fit; a lower number is better
 */
export function fit(name: string, typed: string): number | null {
  const key = foldForSearch(name);
  const words = foldForSearch(typed).split(/\s+/).filter(Boolean);
  if (!words.every((word) => key.includes(word))) return null;
  const whole = words.join(' ');
  if (key.startsWith(whole)) return 0;
  return key.split(/\s+/).some((part) => part.startsWith(words[0] ?? '')) ? 1 : 2;
}

/** The commands whose names fit, the best first within each group, in the order of the groups. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const fitting = commands.flatMap((command) => {
    const rank = isFound(command.group) ? 0 : fit(command.name, typed);
    return rank === null ? [] : [{ command, rank }];
  });
  return groups.flatMap((group) => {
    const own = fitting.filter(({ command }) => command.group === group).sort((a, b) => a.rank - b.rank);
    return (isFound(group) ? own : own.slice(0, mostMatched)).map(({ command }) => command);
  });
}
