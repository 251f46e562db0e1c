import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAppName } from '../site/app-name';
import { useSiteFacts } from '../site/site-facts';
import { LegalLink } from '../site/legal-link';
import { ShowIfKnown } from '../site/show-if-known';
import { BillingGate } from '../site/billing-gate';
import { ColorModeSwitch, LanguageSwitch } from './preference-switches';

/** Footer of a public page; compact where nothing should distract from the page's only card. */
export function PublicFooter({ isCompact }: { isCompact: boolean }) {
  return (
    <footer className="z-footer">
      {!isCompact && <Imprint />}
      <CopyrightLine />
    </footer>
  );
}

function CopyrightLine() {
  const { t } = useTranslation();
  const { year } = useSiteFacts();
  const name = useAppName();
  return (
    <div className="z-footer-row">
      <span>{t('footer.owner', { year, name })}</span>
      <span className="z-preferences">
        <LanguageSwitch />
        <ColorModeSwitch />
      </span>
    </div>
  );
}

/** Who runs this installation, as far as configured, and further links. */
function Imprint() {
  const { t } = useTranslation();
  const { email } = useSiteFacts();
  const subject = encodeURIComponent(t('footer.enterpriseSubject'));
  return (
    <div className="z-footer-row z-imprint">
      <ShowIfKnown anyOf={imprintFacts}>
        <address>
          <ImprintLines />
        </address>
      </ShowIfKnown>
      <nav aria-label={t('footer.links')}>
        <BillingGate>
          <Link to="/pricing">{t('footer.pricing')}</Link>
        </BillingGate>
        <LegalLink page="terms">{t('footer.terms')}</LegalLink>
        <LegalLink page="privacy">{t('footer.privacy')}</LegalLink>
        <LegalLink page="imprint">{t('footer.imprint')}</LegalLink>
        <Link to="/auth?mode=register">{t('footer.signUp')}</Link>
        <ShowIfKnown anyOf={['email']}>
          <a href={`mailto:${email}`}>{t('footer.contact')}</a>
          <BillingGate>
            <a href={`mailto:${email}?subject=${subject}`}>{t('footer.enterprise')}</a>
          </BillingGate>
        </ShowIfKnown>
      </nav>
    </div>
  );
}

const imprintFacts = ['name', 'director', 'type', 'address', 'phone', 'email'] as const;

function ImprintLines() {
  const { t } = useTranslation();
  const { name, director, type, address, phone, phoneNumber, email } = useSiteFacts();
  const contentByFact = {
    name: <span>{name}</span>,
    director: <span>{t('footer.director', { name: director })}</span>,
    type: <span>{type}</span>,
    address: <span>{address}</span>,
    phone: <a href={`tel:${phoneNumber}`}>{phone}</a>,
    email: <a href={`mailto:${email}`}>{email}</a>,
  };
  return imprintFacts.map((fact) => (
    <ShowIfKnown key={fact} anyOf={[fact]}>
      {contentByFact[fact]}
    </ShowIfKnown>
  ));
}
