import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { appName } from '../app-name';
import { ColorModeSwitch, LanguageSwitch } from './preferences';
import { PublicHeader } from './public-header';
import { SkipLink } from './skip-link';
import './plain.css';
import './public-frame.css';

interface Props {
  children: ReactNode;
  /** Puts one card in the middle, or, wide, a card with something beside it. */
  centred?: boolean | 'wide';
}

/** Header, main and footer of a page that loads no component library. */
export function PublicFrame({ children, centred = false }: Props) {
  const { t } = useTranslation();
  return (
    <div className="z-page">
      <SkipLink />
      <PublicHeader />
      <main id="main" tabIndex={-1} className={mainClass(centred)}>
        {children}
      </main>
      <footer className="z-footer">
        <div className="z-footer-row">
          <span>{t('footer.owner', { year: new Date().getFullYear(), name: appName })}</span>
          <span className="z-preferences">
            <LanguageSwitch />
            <ColorModeSwitch />
          </span>
        </div>
      </footer>
    </div>
  );
}

function mainClass(centred: Props['centred']): string {
  if (centred === 'wide') return 'z-main z-main-centred z-main-centred-wide';
  return centred ? 'z-main z-main-centred' : 'z-main';
}
