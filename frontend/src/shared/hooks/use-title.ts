import { useEffect } from 'react';
import { useAppName } from '../app-name';

/** Names the page in the browser's tab: "My Zones · Zonary". Without a title it is the product's name alone. */
export function useTitle(title?: string): void {
  const appName = useAppName();
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName;
  }, [title, appName]);
}
