import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly tone: 'plain' | 'success' | 'error';
  readonly title: string;
  readonly message?: string;
  /** Offers to take back what was just done. */
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

/** One short message at a time; a new one takes the place of the one before. */
export const toast = {
  show({ tone = 'plain', ...rest }: ToastOptions): void {
    setCurrent({ id: ++lastId, tone, ...rest });
  },
  success: (title: string, message?: string): void => toast.show({ tone: 'success', title, message }),
  error: (title: string, message?: string): void => toast.show({ tone: 'error', title, message }),
  /** Takes away the toast with this id, if it is still the one shown. */
  dismiss(id: number): void {
    if (current?.id === id) setCurrent(null);
  },
  /** Keeps a message for the page that is loaded next, for actions that end with a full navigation. */
  showAfterReload(next: ToastOptions): void {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    } catch {
      // Without storage the message is lost; the action itself is not.
    }
  },
  /** Shows what the page before left, once. Called at start. */
  showStored(): void {
    try {
      const text = sessionStorage.getItem(STORAGE_KEY);
      sessionStorage.removeItem(STORAGE_KEY);
      if (text) toast.show(JSON.parse(text) as ToastOptions);
    } catch {
      // An unreadable message is no reason not to start.
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
