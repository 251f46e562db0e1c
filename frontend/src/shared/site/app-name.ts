import { useSyncExternalStore } from 'react';

const FALLBACK = 'Zonary';
const getMetaElement = () => document.querySelector<HTMLMetaElement>('meta[name="application-name"]');

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The product's name: the last one saved in this page, else the one in the HTML document. */
export const getAppName = (): string => getMetaElement()?.content || FALLBACK;

/** The same as a hook, which re-renders when the name changes. */
export const useAppName = (): string => useSyncExternalStore(subscribe, getAppName, getAppName);

/** Applies a name that was saved in this page. */
export function setAppName(name: string): void {
  if (!getMetaElement())
    document.head.append(Object.assign(document.createElement('meta'), { name: 'application-name' }));
  getMetaElement()!.content = name;
  listeners.forEach((listener) => listener());
}
