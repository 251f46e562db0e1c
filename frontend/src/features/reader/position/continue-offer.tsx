import { useTranslation } from 'react-i18next';
import { CloseIcon } from '../controls/icons';
import './continue-offer.css';

interface Props {
  label: string;
  onContinue: () => void;
  onDismiss: () => void;
}

/** Offers to continue where the user stopped, without covering what they came to read. */
export function ContinueOffer({ label, onContinue, onDismiss }: Props) {
  const { t } = useTranslation('reader');
  return (
    <div role="status" className="z-reader-continue">
      <button type="button" className="z-button" onClick={onContinue}>
        {label}
      </button>
      <button
        type="button"
        className="z-button z-button-quiet"
        aria-label={t('position.dismiss')}
        title={t('position.dismiss')}
        onClick={onDismiss}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
