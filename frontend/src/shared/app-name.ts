import { useSyncExternalStore } from 'react';

const FALLBACK = 'Zonary';
const getMetaElement = () => document.querySelector<HTMLMetaElement>('meta[name="application-name"]');

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The product's name: the one that the document was served with, or the one that was set in this page since. */
export const getAppName = (): string => getMetaElement()?.content || FALLBACK;

/** The same for components, which show a new name at once. */
export const useAppName = (): string => useSyncExternalStore(subscribe, getAppName, getAppName);

/** Takes up a name that was saved in this page. */
export function setAppName(name: string): void {
  if (!getMetaElement())
    document.head.append(Object.assign(document.createElement('meta'), { name: 'application-name' }));
  getMetaElement()!.content = name;
  listeners.forEach((listener) => listener());
}
