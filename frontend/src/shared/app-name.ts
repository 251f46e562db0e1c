import { useSyncExternalStore } from 'react';

const FALLBACK = 'Zonary';
const mark = () => document.querySelector<HTMLMetaElement>('meta[name="application-name"]');

const listeners = new Set<() => void>();
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The product's name: the one that the document was served with, or the one that was set in this page since. */
export const appName = (): string => mark()?.content || FALLBACK;

/** The same for components, which show a new name at once. */
export const useAppName = (): string => useSyncExternalStore(listen, appName, appName);

/** Takes up a name that was saved in this page. */
export function rememberAppName(name: string): void {
  if (!mark()) document.head.append(Object.assign(document.createElement('meta'), { name: 'application-name' }));
  mark()!.content = name;
  listeners.forEach((listener) => listener());
}
