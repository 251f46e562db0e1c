import { useTranslation } from 'react-i18next';
import { Logo } from '../shared/public-ui/logo';
import '../shared/public-ui/public-ui.css';
import '../shared/public-ui/public-frame.css';

/** Shown if a page failed to load or to render. */
export function RouteError() {
  const { t } = useTranslation();
  return (
    <main id="main" className="z-main z-main-centred">
      <Logo />
      <div className="z-card" role="alert">
        <h1 className="z-title">{t('errors.title')}</h1>
        <p className="z-second">{t('errors.page')}</p>
        <div className="z-actions">
          <button type="button" className="z-button" onClick={() => location.reload()}>
            {t('errors.reload')}
          </button>
        </div>
      </div>
    </main>
  );
}
