import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { useBillingEnabled } from '../../../shared/site/use-billing-enabled';
import { Screenshot } from './screenshot';

/** The product in one sentence, with a screenshot. */
export function Hero({ onStartTour }: { onStartTour: () => void }) {
  const { t } = useTranslation('landing');
  const { data: user } = useCurrentUser();
  const isBillingEnabled = useBillingEnabled();
  return (
    <section className="z-hero">
      <h1>{t('headline')}</h1>
      <p className="z-hero-lead">{t('lead')}</p>
      <div className="z-actions z-hero-actions">
        {user ? <SignedInActions /> : <SignedOutActions onStartTour={onStartTour} />}
      </div>
      {!user && isBillingEnabled && <p className="z-second z-hero-note">{t('note')}</p>}
      <div className="z-hero-shot">
        <Screenshot name="zone" alt={t('shot')} isPriority />
      </div>
    </section>
  );
}

function SignedInActions() {
  const { t } = useTranslation('landing');
  const can = usePlanAbilities();
  return (
    <>
      <Link to="/dashboard" className="z-button z-button-main z-button-large">
        {t('dashboard')}
      </Link>
      {can.upgrade && (
        <Link to="/pricing" className="z-button z-button-large">
          {t('upgrade')}
        </Link>
      )}
    </>
  );
}

function SignedOutActions({ onStartTour }: { onStartTour: () => void }) {
  const { t } = useTranslation('landing');
  return (
    <>
      <Link to="/auth?mode=register" className="z-button z-button-main z-button-large">
        {t('start')}
      </Link>
      <button type="button" className="z-button z-button-large" data-starts="tour" onClick={onStartTour}>
        {t('tour')}
      </button>
    </>
  );
}
