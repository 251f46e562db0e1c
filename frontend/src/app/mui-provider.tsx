import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { colorMode } from '../shared/preferences/color-mode';
import { theme } from './theme/theme';

type StorageManager = NonNullable<React.ComponentProps<typeof ThemeProvider>['storageManager']>;

const MODE_STORAGE_KEY = 'mui-mode';

/** Lets the component library read and follow the page's own light or dark choice instead of keeping a second one. */
const colorModeStorageManager: StorageManager = ({ key }) => {
  if (key !== MODE_STORAGE_KEY)
    return { get: (initial) => initial, set: () => undefined, subscribe: () => () => undefined };
  return {
    get: () => colorMode.get(),
    set: (mode) => colorMode.set(mode),
    subscribe: (listener) => colorMode.subscribe(() => listener(colorMode.get())),
  };
};

/** Gives the pages inside it the product's theme. Public pages in plain CSS do without. */
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
