import { useTranslation } from 'react-i18next';
import { createPortal } from 'react-dom';
import { useIsSolvingChallenge } from './proof-of-work';
import './proof-of-work-notice.css';

/**
 * Says that the browser is solving a challenge. The live region is always mounted, so that screen readers announce it.
 */
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
