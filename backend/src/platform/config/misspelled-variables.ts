import { variables } from './variables.js';

const knownNames = Object.values(variables).map(({ name }) => name);

/** An unknown environment variable whose name resembles a known one. */
export interface MisspelledVariable {
  readonly name: string;
  readonly suggestion: string;
}

/** Finds variables that look like misspelled Zonary variables. Others belong to other programs. */
export function findMisspelledVariables(env: NodeJS.ProcessEnv): MisspelledVariable[] {
  const unknown = Object.keys(env).filter(
    (name) => env[name] && /^[A-Z][A-Z0-9_]*$/.test(name) && !knownNames.includes(name),
  );
  return unknown.flatMap((name) => {
    const allowed = name.length < 7 ? 1 : 2;
    const [nearest] = knownNames
      .map((meant) => ({ name, meant, steps: editDistance(name, meant) }))
      .filter(({ meant, steps }) => steps <= allowed && meant.length > 3)
      .sort((a, b) => a.steps - b.steps);
    return nearest ? [{ name, suggestion: nearest.meant }] : [];
  });
}

export const misspelledVariableMessage = ({ name, suggestion }: MisspelledVariable): string =>
  `${name} isn't a Zonary variable and has no effect. Did you mean ${suggestion}?`;

/** Edit distance: insertions, deletions, substitutions and swaps of adjacent letters. */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      rows[i]![j] = Math.min(change, swap, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1);
    }
  }
  return rows[a.length]![b.length]!;
}
