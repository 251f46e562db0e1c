import type { SvgIconComponent } from '@mui/icons-material';
import { normaliseForSearch } from '../../shared/format/case-folding';

/** One line of the palette: a place to go to, or something to do. */
export interface Command {
  id: string;
  group: 'zones' | 'found' | 'texts' | 'pages' | 'actions';
  name: string;
  /** Said below the name, such as where a file lies. */
  detail?: string;
  icon: SvgIconComponent;
  /** Seen through a mirror. */
  isMirrored?: boolean;
  /** An address to go to, or what to do. */
  run: string | (() => void);
}

/** The order in which the groups stand. */
export const groups = ['zones', 'found', 'texts', 'pages', 'actions'] as const;

/** What the server found fits already, and stands as it came. */
const isServerResult = (group: Command['group']): boolean => group === 'found' || group === 'texts';

/** Most lines of a group that is matched here. */
const MAX_MATCHES = 6;

/**
 * How well a name fits what was typed: every word must be in it; a name that begins with it is better than one with a
 * word that does, and that better than one that only holds it.
 * @returns null when it does not fit; a lower number is better
 */
export function rankMatch(name: string, query: string): number | null {
  const key = normaliseForSearch(name);
  const words = normaliseForSearch(query).split(/\s+/).filter(Boolean);
  if (!words.every((word) => key.includes(word))) return null;
  const phrase = words.join(' ');
  if (key.startsWith(phrase)) return 0;
  return key.split(/\s+/).some((part) => part.startsWith(words[0] ?? '')) ? 1 : 2;
}

/** The commands whose names fit, the best first within each group, in the order of the groups. */
export function filterCommands(commands: readonly Command[], query: string): Command[] {
  const rankedCommands = commands.flatMap((command) => {
    const rank = isServerResult(command.group) ? 0 : rankMatch(command.name, query);
    return rank === null ? [] : [{ command, rank }];
  });
  return groups.flatMap((group) => {
    const groupCommands = rankedCommands
      .filter(({ command }) => command.group === group)
      .sort((a, b) => a.rank - b.rank);
    return (isServerResult(group) ? groupCommands : groupCommands.slice(0, MAX_MATCHES)).map(({ command }) => command);
  });
}
