import { useMatches } from 'react-router';

/** `handle` of a route that is shown without the bars of the frame; what the frame carries on stays alive around it. */
export const bareLayout = { bare: true } as const;

/** Whether the page that is shown stands alone. */
export function useIsBareLayout(): boolean {
  return useMatches().some(({ handle }) => handle === bareLayout);
}
