/** `[[name]]`, or `[[?one|other]]…[[/one|other]]` for what is shown when one of these is known. */
const MARKS = /\[\[\?([\w|]+)\]\](.*?)\[\[\/\1\]\]|\[\[(\w+)\]\]/gs;

/**
 * Fills in the marks that the build of the page left in a drawn one (frontend/src/shared/site).
 * @param values texts, not yet escaped, by the names of the marks; null, or none at all, for what is not known
 */
export function fillIn(html: string, values: Readonly<Record<string, string | null | undefined>>): string {
  return html.replace(MARKS, (_, names: string | undefined, inner: string, name: string) => {
    if (names === undefined) return escapeHtml(values[name] ?? '');
    return names.split('|').some((one) => values[one] != null) ? fillIn(inner, values) : '';
  });
}

/** A text as it is written into HTML, also between quotation marks. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
