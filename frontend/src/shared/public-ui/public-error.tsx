import { useTranslation } from 'react-i18next';
import { useErrorText } from '../hooks/use-error-text';

/** An error on a public page, with a retry button. */
export function PublicError({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <div className="z-card" role="alert">
      <h1 className="z-title">{t('errors.title')}</h1>
      <p className="z-second">{errorText(error)}</p>
      {onRetry && (
        <div className="z-actions">
          <button type="button" className="z-button" onClick={() => onRetry()}>
            {t('actions.retry')}
          </button>
        </div>
      )}
    </div>
  );
}
