import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { useSells } from '../../../shared/site/use-sells';
import { Shot } from './shot';

/** What the product does, in one sentence, and the product itself. */
export function Hero({ onTour }: { onTour: () => void }) {
  const { t } = useTranslation('landing');
  const { data: user } = useCurrentUser();
  const sells = useSells();
  return (
    <section className="z-hero">
      <h1>{t('headline')}</h1>
      <p className="z-hero-lead">{t('lead')}</p>
      <div className="z-actions z-hero-actions">{user ? <ForSignedIn /> : <ForSignedOut onTour={onTour} />}</div>
      {!user && sells && <p className="z-second z-hero-note">{t('note')}</p>}
      <div className="z-hero-shot">
        <Shot name="zone" alt={t('shot')} first />
      </div>
    </section>
  );
}

function ForSignedIn() {
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

function ForSignedOut({ onTour }: { onTour: () => void }) {
  const { t } = useTranslation('landing');
  return (
    <>
      <Link to="/auth?mode=register" className="z-button z-button-main z-button-large">
        {t('start')}
      </Link>
      <button type="button" className="z-button z-button-large" data-starts="tour" onClick={onTour}>
        {t('tour')}
      </button>
    </>
  );
}
