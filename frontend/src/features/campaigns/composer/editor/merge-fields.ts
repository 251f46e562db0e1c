import { isMergeField, MERGE_FIELD, type MergeField } from '../../../../shared/format/merge-fields';

/** Whether a recipient's value may be missing, so that a fallback text makes sense. */
export const canBeMissing = (field: MergeField): boolean => ['first_name', 'last_name', 'full_name'].includes(field);

/** Removes the characters from a fallback text that would end the field. */
export const cleanFallback = (fallback: string): string => fallback.replace(/[{}|]/g, '').trim();

/** Returns the source text of a field: `{{first_name|friend}}`. */
export function formatMergeField(field: string, fallback: string): string {
  const cleanedFallback = cleanFallback(fallback);
  return cleanedFallback ? `{{${field}|${cleanedFallback}}}` : `{{${field}}}`;
}

/** A complete field, shown where one is broken. */
export const EXAMPLE_MERGE_FIELD = '{{first_name|reader}}';

/** Returns the first error of a text's merge fields: an unknown name, or braces that aren't a field. */
export function findMergeFieldError(text: string): { unknown: string } | 'broken' | null {
  for (const [, name = ''] of text.matchAll(MERGE_FIELD)) if (!isMergeField(name)) return { unknown: name };
  return text.replace(MERGE_FIELD, '').includes('{{') ? 'broken' : null;
}

const parseHtml = (html: string) => new DOMParser().parseFromString(html, 'text/html');

/** Replaces the merge fields in the HTML's text with elements, which the text editor treats as atomic nodes. */
export function toEditorHtml(html: string): string {
  const page = parseHtml(html);
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) text.replaceWith(...splitMergeFields(text.data, page));
  return page.body.innerHTML;
}

function splitMergeFields(text: string, page: Document): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let from = 0;
  for (const match of text.matchAll(MERGE_FIELD)) {
    const [whole, name = '', fallback = ''] = match;
    if (!isMergeField(name)) continue;
    parts.push(text.slice(from, match.index), createMergeFieldElement(page, name.toLowerCase(), fallback.trim()));
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)];
}

function createMergeFieldElement(page: Document, field: string, fallback: string): HTMLElement {
  const element = page.createElement('span');
  element.dataset.merge = field;
  element.dataset.fallback = fallback;
  element.textContent = formatMergeField(field, fallback);
  return element;
}

/** Reverses `toEditorHtml`: replaces the elements with plain text. */
export function fromEditorHtml(html: string): string {
  const page = parseHtml(html);
  for (const element of page.querySelectorAll<HTMLElement>('span[data-merge]')) {
    element.replaceWith(formatMergeField(element.dataset.merge ?? '', element.dataset.fallback ?? ''));
  }
  return page.body.innerHTML;
}

const supportedTags = new Set('P H1 H2 H3 STRONG B EM I U S A UL OL LI BLOCKQUOTE BR HR CODE'.split(' '));

/** Whether the text editor supports all elements of the HTML, so that nothing is lost. */
export function canEditAsRichText(html: string): boolean {
  return [...parseHtml(html).querySelectorAll('head *, body *')].every(({ tagName }) => supportedTags.has(tagName));
}

/** Whether the HTML has no visible content. */
export function isBlankHtml(html: string): boolean {
  const { body } = parseHtml(html);
  return !body.textContent?.trim() && !body.querySelector('img, hr, table');
}
