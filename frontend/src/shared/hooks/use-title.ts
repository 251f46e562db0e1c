import { useEffect } from 'react';
import { useAppName } from '../site/app-name';

/** Sets the document title: "My Zones · Zonary". Without a title it is the product's name. */
export function useTitle(title?: string): void {
  const appName = useAppName();
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName;
  }, [title, appName]);
}
