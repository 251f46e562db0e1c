import { variables } from './variables.js';

const knownNames = Object.values(variables).map(({ name }) => name);

/** A variable that is set and that the product does not read, though it looks like one that it does. */
export interface MisspelledVariable {
  readonly name: string;
  readonly suggestion: string;
}

/** Variables whose names are nearly ours. Others belong to other programs. */
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

/** The sentence about it, for the person who started the process. */
export const misspelledVariableMessage = ({ name, suggestion }: MisspelledVariable): string =>
  `${name} isn't a Zonary variable and has no effect. Did you mean ${suggestion}?`;

/** Letters to change, add, take away or swap with their neighbour. */
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
