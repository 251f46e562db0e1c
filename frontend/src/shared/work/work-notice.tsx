import { useTranslation } from 'react-i18next';
import { createPortal } from 'react-dom';
import { useWorking } from './work';
import './work-notice.css';

/** Says that the browser is busy for the server. The region stays, so that screen readers know it before it speaks. */
export function WorkNotice() {
  const { t } = useTranslation();
  const working = useWorking();
  return createPortal(
    <div className="z-work" role="status">
      {working && (
        <div className="z-work-card">
          <p>{t('work.text')}</p>
          <progress aria-label={t('work.label')} />
        </div>
      )}
    </div>,
    document.body,
  );
}
