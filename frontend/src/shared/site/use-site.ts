import { $api, type Schema } from '../api/client';

type Site = Schema<'SiteDto'>;

/** What the document was served with, where the page in it was drawn: the program then asks for nothing. */
function given(): Site | undefined {
  const text = document.getElementById('site')?.textContent;
  return text ? (JSON.parse(text) as Site) : undefined;
}

/** What the public pages say of this installation; the same for as long as the page is open. */
export function useSite() {
  return $api.useQuery('get', '/api/site', {}, { staleTime: Infinity, initialData: given });
}
