import type { ReactNode } from 'react';
import { PublicFooter } from './public-footer';
import { BareHeader, PublicHeader } from './public-header';
import { SkipLink } from './skip-link';
import './public-ui.css';
import './public-frame.css';

interface Props {
  children: ReactNode;
  /** Centres one card, or with `wide` a card with content beside it. */
  centred?: boolean | 'wide';
  /**
   * Hides all links away from the page and shows only the logo in the header. Toasts then appear at the top, clear of
   * the buttons.
   */
  bare?: boolean;
}

/** Header, main and footer of a page that doesn't load the component library. */
export function PublicFrame({ children, centred = false, bare = false }: Props) {
  return (
    <div className={bare ? 'z-page z-page-bare' : 'z-page'}>
      <SkipLink />
      {bare ? <BareHeader /> : <PublicHeader />}
      <main id="main" tabIndex={-1} className={mainClass(centred)}>
        {children}
      </main>
      <PublicFooter isCompact={centred !== false} />
    </div>
  );
}

function mainClass(centred: Props['centred']): string {
  if (centred === 'wide') return 'z-main z-main-centred z-main-centred-wide';
  return centred ? 'z-main z-main-centred' : 'z-main';
}
