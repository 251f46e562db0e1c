import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly tone: 'plain' | 'success' | 'error';
  readonly title: string;
  readonly message?: string;
  /** Offers to take back what was just done. */
  readonly undo?: () => void;
}

type NewToast = Omit<Toast, 'id' | 'tone'> & { tone?: Toast['tone'] };

const carried = 'zonary.toast';
const listeners = new Set<() => void>();
let current: Toast | null = null;
let lastId = 0;

function replace(next: Toast | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** One short message at a time; a new one takes the place of the one before. */
export const toast = {
  show({ tone = 'plain', ...rest }: NewToast): void {
    replace({ id: ++lastId, tone, ...rest });
  },
  success: (title: string, message?: string): void => toast.show({ tone: 'success', title, message }),
  error: (title: string, message?: string): void => toast.show({ tone: 'error', title, message }),
  /** Takes away the toast with this id, if it is still the one shown. */
  dismiss(id: number): void {
    if (current?.id === id) replace(null);
  },
  /** Keeps a message for the page that is loaded next, for actions that end with a full navigation. */
  afterReload(next: NewToast): void {
    try {
      sessionStorage.setItem(carried, JSON.stringify(next));
    } catch {
      // Without storage the message is lost; the action itself is not.
    }
  },
  /** Shows what the page before left, once. Called at start. */
  showCarried(): void {
    try {
      const text = sessionStorage.getItem(carried);
      sessionStorage.removeItem(carried);
      if (text) toast.show(JSON.parse(text) as NewToast);
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
