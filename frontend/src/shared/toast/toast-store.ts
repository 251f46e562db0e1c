import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly tone: 'plain' | 'success' | 'error';
  readonly title: string;
  readonly message?: string;
  /** Adds an Undo button. */
  readonly undo?: () => void;
}

type ToastOptions = Omit<Toast, 'id' | 'tone'> & { tone?: Toast['tone'] };

const STORAGE_KEY = 'zonary.toast';
const listeners = new Set<() => void>();
let current: Toast | null = null;
let lastId = 0;

function setCurrent(next: Toast | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** Shows one short message at a time; a new one replaces the previous one. */
export const toast = {
  show({ tone = 'plain', ...rest }: ToastOptions): void {
    setCurrent({ id: ++lastId, tone, ...rest });
  },
  success: (title: string, message?: string): void => toast.show({ tone: 'success', title, message }),
  error: (title: string, message?: string): void => toast.show({ tone: 'error', title, message }),
  /** Removes the toast with this id, if it is still shown. */
  dismiss(id: number): void {
    if (current?.id === id) setCurrent(null);
  },
  /** Stores a message for the next page load, for actions that end with a full navigation. */
  showAfterReload(next: ToastOptions): void {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    } catch {
      // Without storage the message is lost; the action itself isn't.
    }
  },
  /** Shows the stored message once. Called at startup. */
  showStored(): void {
    try {
      const text = sessionStorage.getItem(STORAGE_KEY);
      sessionStorage.removeItem(STORAGE_KEY);
      if (text) toast.show(JSON.parse(text) as ToastOptions);
    } catch {
      // An unreadable message must not prevent startup.
    }
  },
};

export function useToast(): Toast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
