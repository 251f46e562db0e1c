import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cssVariables } from './css-variables';
import { theme } from './theme';
import { dark, light, type SchemeColours } from './tokens';

const source = join(__dirname, '../..');

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

describe.each<[string, SchemeColours]>([
  ['light', light],
  ['dark', dark],
])('Theme colours: %s', (_name, c) => {
  it('have sufficient contrast for text', () => {
    const pairs: [string, string][] = [
      ...[c.paper, c.surface, c.hover].flatMap((back): [string, string][] => [
        [c.text, back],
        [c.textSecondary, back],
      ]),
      [c.accent, c.surface],
      [c.accent, c.tint.accent],
      [c.onAccent, c.accent],
      [c.onAccent, c.accentHover],
      [c.success, c.tint.success],
      [c.warning, c.tint.warning],
      [c.danger, c.tint.danger],
      [c.danger, c.surface],
      [c.onStatus, c.danger],
      [c.textSecondary, c.tint.neutral],
    ];
    const weak = pairs.filter(([one, other]) => contrast(one, other) < 4.5);
    expect(weak).toEqual([]);
  });

  it('show field outlines with sufficient contrast', () => {
    expect(contrast(c.outline, c.surface)).toBeGreaterThanOrEqual(3);
    expect(contrast(c.outline, c.paper)).toBeGreaterThanOrEqual(3);
  });
});

describe('CSS variables', () => {
  const sheet = cssVariables(theme);

  it('contain the colours of both schemes', () => {
    expect(sheet).toContain(`[data-theme="light"]{color-scheme:light;--z-paper:${light.paper}`);
    expect(sheet).toContain(`[data-theme="dark"]{color-scheme:dark;--z-paper:${dark.paper}`);
  });

  it('include all that the style sheets use', () => {
    const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
    const used = sheets.flatMap((name) => readFileSync(join(source, name), 'utf8').match(/--z-[a-z-]+/g) ?? []);
    expect(sheets.length).toBeGreaterThan(3);
    expect(used.filter((name) => !sheet.includes(`${name}:`))).toEqual([]);
  });

  it('leave no hard-coded colours in the style sheets', () => {
    const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
    const raw = sheets.flatMap(
      (name) => readFileSync(join(source, name), 'utf8').match(/#[0-9a-f]{3,8}\b|rgba?\(/gi) ?? [],
    );
    expect(raw).toEqual([]);
  });
});
