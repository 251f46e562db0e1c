import { toLanguage } from '../preferences/language';

interface Given {
  readonly language: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

/**
 * The answer of the API to a path that the document was served with, so that its program need not ask; undefined where
 * there is none in the language of the page.
 */
export function given<T>(path: string): T | undefined {
  const text = document.getElementById('given')?.textContent;
  if (!text) return undefined;
  const { language, answers } = JSON.parse(text) as Given;
  return language === toLanguage(document.documentElement.lang) ? (answers[path] as T | undefined) : undefined;
}
