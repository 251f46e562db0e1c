import type { SvgIconComponent } from '@mui/icons-material';
import { normaliseForSearch } from '../../shared/format/case-folding';

/** One line of the palette: a place to open or an action to run. */
export interface Command {
  id: string;
  group: 'zones' | 'found' | 'texts' | 'pages' | 'actions';
  name: string;
  /** Shown below the name, such as a file's path. */
  detail?: string;
  icon: SvgIconComponent;
  /** Accessed through a mirror. */
  isMirrored?: boolean;
  /** A path to open, or a function to run. */
  run: string | (() => void);
}

/** Display order of the groups. */
export const groups = ['zones', 'found', 'texts', 'pages', 'actions'] as const;

/** The server's results already match and keep their order. */
const isServerResult = (group: Command['group']): boolean => group === 'found' || group === 'texts';

/** Most lines of a group that is matched in the browser. */
const MAX_MATCHES = 6;

/**
 * Ranks how well a name matches a query: it must contain every word. Names starting with the query rank before names
 * with a word starting with it, and these before names that only contain it.
 * @returns null without a match; lower is better
 */
export function rankMatch(name: string, query: string): number | null {
  const key = normaliseForSearch(name);
  const words = normaliseForSearch(query).split(/\s+/).filter(Boolean);
  if (!words.every((word) => key.includes(word))) return null;
  const phrase = words.join(' ');
  if (key.startsWith(phrase)) return 0;
  return key.split(/\s+/).some((part) => part.startsWith(words[0] ?? '')) ? 1 : 2;
}

/** Returns the matching commands, best first within each group, in the order of the groups. */
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
