import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');

/** A text of the product: file, language and content. */
interface Text {
  readonly file: string;
  readonly language: 'en' | 'tr';
  readonly text: string;
}

/** Terms that `docs/ui-copy.md` rules out; `except` lists where one is correct. */
const forbidden = {
  en: [
    { word: /\bmails?\b/i, except: /\bmail\.example\.com\b/ },
    { word: /\bmail server/i },
    { word: /\b(whoever|whomever|persons|anew|at will|of itself|by itself|by themselves)\b/i },
    { word: /\b(lies|lie|stands) (here|there|in)\b/i },
    { word: /\b(is|was|be) told\b/i },
    { word: /\b(suffices?|amiss|thereof|thereby|hereby|therein)\b/i },
    { word: /\bno more\b/i, except: /\bno more emails\b/i },
    { word: /\bfor good\b/i },
    { word: /\bpersonalization\b/i },
  ],
  tr: [
    { word: /\bmail(ler)?('?(i|e|in|den|de))?\b/i, except: /\bmail\.example\.com\b/ },
    { word: /\b(eposta|login|davetiye|operatör)/i },
    { word: /\b(üyelikten|listeden) ayrıl/i },
  ],
} satisfies Record<Text['language'], readonly { word: RegExp; except?: RegExp }[]>;

function filesBelow(folder: string, isWanted: (path: string) => boolean): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter(isWanted);
}

/** The content of a string, with `{}` for placeholders; null for anything else. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join('');
}

/**
 * The texts of a source file: every string in a frontend catalogue, elsewhere the strings below a property `en` or
 * `tr`.
 * @param language of a catalogue; null for other files
 */
function textsOf(file: string, language: Text['language'] | null): Text[] {
  const texts: Text[] = [];
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node, current: Text['language'] | null): void => {
    const text = textOf(node);
    if (text !== null && current) texts.push({ file, language: current, text });
    if (ts.isPropertyAssignment(node)) {
      const name = ts.isIdentifier(node.name) ? node.name.text : null;
      return visit(node.initializer, name === 'en' || name === 'tr' ? name : current);
    }
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, (child) => visit(child, current));
  };
  visit(source, language);
  return texts;
}

/** Summaries and descriptions in the OpenAPI document. */
function apiTexts(): Text[] {
  const texts: Text[] = [];
  const visit = (value: unknown): void => {
    if (!value || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'summary' || key === 'description') && typeof inner === 'string')
        texts.push({ file: 'openapi.json', language: 'en', text: inner });
      else visit(inner);
    }
  };
  visit(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')));
  return texts;
}

const catalogues = filesBelow('frontend/src', (path) => /\/locales\/[^/]+\.ts$/.test(path));
const sources = filesBelow('backend/src', (path) => path.endsWith('.ts') && !path.includes('/migrations/'));
const texts = [
  ...catalogues.flatMap((file) => textsOf(file, /(^|[-./])tr\.ts$/.test(file) ? 'tr' : 'en')),
  ...sources.flatMap((file) => textsOf(file, null)),
  ...apiTexts(),
];

describe('UI copy', () => {
  it('is found in the frontend, the backend and the API', () => {
    expect(texts.filter(({ file }) => file.startsWith('frontend/')).length).toBeGreaterThan(5000);
    expect(texts.filter(({ file }) => file.startsWith('backend/')).length).toBeGreaterThan(1000);
    expect(texts.filter(({ file }) => file === 'openapi.json').length).toBeGreaterThan(2000);
  });

  it.each(['en', 'tr'] as const)('contains no words that docs/ui-copy.md rules out (%s)', (language) => {
    const wrong = texts.filter(
      (text) =>
        text.language === language &&
        forbidden[language].some(({ word, except }) =>
          word.test(except ? text.text.replaceAll(new RegExp(except, 'gi'), '') : text.text),
        ),
    );
    expect(wrong.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });
});
