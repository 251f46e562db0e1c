import { useTranslation } from 'react-i18next';
import { createPortal } from 'react-dom';
import { useIsSolvingChallenge } from './proof-of-work';
import './proof-of-work-notice.css';

/** Says that the browser is busy for the server. The region stays, so that screen readers know it before it speaks. */
export function ProofOfWorkNotice() {
  const { t } = useTranslation();
  const isSolving = useIsSolvingChallenge();
  return createPortal(
    <div className="z-work" role="status">
      {isSolving && (
        <div className="z-work-card">
          <p>{t('work.text')}</p>
          <progress aria-label={t('work.label')} />
        </div>
      )}
    </div>,
    document.body,
  );
}
