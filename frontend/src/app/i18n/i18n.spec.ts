import { languages } from '../../shared/preferences/language';
import { namespaces, type Namespace } from './namespaces';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

async function loadTextMaps(namespace: Namespace) {
  const loaded = await Promise.all(
    languages.map(async (language) => (await namespaces[namespace][language]()).default),
  );
  return loaded.map((tree) => new Map(flatten(tree as Tree)));
}

describe.each(Object.keys(namespaces) as Namespace[])('Texts of the %s namespace', (namespace) => {
  it('have the same keys in every language', async () => {
    const [english, ...others] = await loadTextMaps(namespace);
    for (const other of others) expect([...other.keys()].sort()).toEqual([...english!.keys()].sort());
  });

  it('are never empty', async () => {
    for (const translations of await loadTextMaps(namespace)) {
      expect([...translations].filter(([, text]) => text.trim() === '')).toEqual([]);
    }
  });

  it('use the same placeholders in every language', async () => {
    const [english, ...others] = await loadTextMaps(namespace);
    for (const [key, text] of english!) {
      for (const other of others) expect([key, placeholders(other.get(key)!)]).toEqual([key, placeholders(text)]);
    }
  });
});
