import { toLanguage } from '../preferences/language';

interface PreloadedResponses {
  readonly language: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/**
 * Returns the API response that the server embedded in the HTML document, which saves the request.
 * @param path with its query
 * @returns undefined if the document has none, or has it in another language than the page's
 */
export function preloadedResponse<T>(path: string): T | undefined {
  const text = document.getElementById('preloaded-responses')?.textContent;
  if (!text) return undefined;
  const { language, responses } = JSON.parse(text) as PreloadedResponses;
  return language === toLanguage(document.documentElement.lang) ? (responses[path] as T | undefined) : undefined;
}
