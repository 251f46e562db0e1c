import { useMatches } from 'react-router';

/** `handle` of routes shown without sidebar and top bar. Uploads and other background work of the layout continue. */
export const bareLayout = { bare: true } as const;

/** Whether the current page uses the bare layout. */
export function useIsBareLayout(): boolean {
  return useMatches().some(({ handle }) => handle === bareLayout);
}
