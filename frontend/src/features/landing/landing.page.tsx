import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { useTitle } from '../../shared/hooks/use-title';
import { FileIcon, FolderIcon, LinkIcon, PeopleIcon } from '../../shared/plain/icons';
import { PublicFrame } from '../../shared/plain/public-frame';
import './landing.css';

/** What the product is, for those who do not know it yet; shown to everybody at /home and to the signed-out at /. */
export function LandingPage() {
  useTitle();
  return (
    <PublicFrame>
      <Hero />
      <Steps />
    </PublicFrame>
  );
}

function Hero() {
  const { t } = useTranslation('landing');
  const { data: user } = useCurrentUser();
  return (
    <section className="z-hero">
      <div>
        <h1>{t('headline')}</h1>
        <p className="z-hero-lead">{t('lead')}</p>
        <div className="z-actions">
          {user ? (
            <Link to="/dashboard" className="z-button z-button-main z-button-large">
              {t('dashboard')}
            </Link>
          ) : (
            <Link to="/auth?mode=register" className="z-button z-button-main z-button-large">
              {t('start')}
            </Link>
          )}
        </div>
        <p className="z-second z-hero-note">{t('note')}</p>
      </div>
      <SampleZone />
    </section>
  );
}

const files = ['first', 'second', 'third'] as const;

function SampleZone() {
  const { t } = useTranslation('landing');
  return (
    <figure className="z-sample" aria-label={t('sample.label')}>
      <figcaption className="z-sample-head">
        <FolderIcon />
        <strong>{t('sample.name')}</strong>
        <span className="z-badge">
          <PeopleIcon />
          {t('sample.members')}
        </span>
      </figcaption>
      <ul>
        {files.map((name) => (
          <li key={name}>
            <FileIcon />
            {t(`sample.files.${name}`)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

const steps = [
  { name: 'zone', Icon: FolderIcon },
  { name: 'share', Icon: LinkIcon },
  { name: 'read', Icon: FileIcon },
] as const;

function Steps() {
  const { t } = useTranslation('landing');
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="z-steps-title">
        {t('how.title')}
      </h2>
      <ol className="z-steps">
        {steps.map(({ name, Icon }) => (
          <li key={name} className="z-card z-step">
            <Icon />
            <h3>{t(`how.${name}.title`)}</h3>
            <p className="z-second">{t(`how.${name}.text`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
