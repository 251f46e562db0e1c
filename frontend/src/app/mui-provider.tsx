import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { colorMode } from '../shared/preferences/color-mode';
import { theme } from './theme/theme';

type StorageManager = NonNullable<React.ComponentProps<typeof ThemeProvider>['storageManager']>;

const MODE_STORAGE_KEY = 'mui-mode';

/** Makes MUI use the page's own colour mode instead of storing a second one. */
const colorModeStorageManager: StorageManager = ({ key }) => {
  if (key !== MODE_STORAGE_KEY)
    return { get: (initial) => initial, set: () => undefined, subscribe: () => () => undefined };
  return {
    get: () => colorMode.get(),
    set: (mode) => colorMode.set(mode),
    subscribe: (listener) => colorMode.subscribe(() => listener(colorMode.get())),
  };
};

/** Provides the product's theme. Public pages in plain CSS don't need it. */
export function MuiProvider({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider
      theme={theme}
      defaultMode="system"
      modeStorageKey={MODE_STORAGE_KEY}
      storageManager={colorModeStorageManager}
    >
      {children}
    </ThemeProvider>
  );
}
