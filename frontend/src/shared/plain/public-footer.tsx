import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAppName } from '../app-name';
import { useFacts } from '../site/facts';
import { LegalLink } from '../site/legal-link';
import { Told } from '../site/told';
import { WhereSold } from '../site/where-sold';
import { ColorModeSwitch, LanguageSwitch } from './preferences';

/** The end of a public page; `brief` where nothing is to lead away from its one card. */
export function PublicFooter({ brief }: { brief: boolean }) {
  return (
    <footer className="z-footer">
      {!brief && <Imprint />}
      <OwnerLine />
    </footer>
  );
}

function OwnerLine() {
  const { t } = useTranslation();
  const { year } = useFacts();
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

/** Who runs this installation, as far as it is configured, and where to go on. */
function Imprint() {
  const { t } = useTranslation();
  const { email } = useFacts();
  const subject = encodeURIComponent(t('footer.enterpriseSubject'));
  return (
    <div className="z-footer-row z-imprint">
      <Told of={lines}>
        <address>
          <Lines />
        </address>
      </Told>
      <nav aria-label={t('footer.links')}>
        <WhereSold>
          <Link to="/pricing">{t('footer.pricing')}</Link>
        </WhereSold>
        <LegalLink of="terms">{t('footer.terms')}</LegalLink>
        <LegalLink of="privacy">{t('footer.privacy')}</LegalLink>
        <LegalLink of="imprint">{t('footer.imprint')}</LegalLink>
        <Link to="/auth?mode=register">{t('footer.signUp')}</Link>
        <Told of={['email']}>
          <a href={`mailto:${email}`}>{t('footer.contact')}</a>
          <WhereSold>
            <a href={`mailto:${email}?subject=${subject}`}>{t('footer.enterprise')}</a>
          </WhereSold>
        </Told>
      </nav>
    </div>
  );
}

const lines = ['name', 'director', 'type', 'address', 'phone', 'email'] as const;

function Lines() {
  const { t } = useTranslation();
  const { name, director, type, address, phone, phoneNumber, email } = useFacts();
  const shown = {
    name: <span>{name}</span>,
    director: <span>{t('footer.director', { name: director })}</span>,
    type: <span>{type}</span>,
    address: <span>{address}</span>,
    phone: <a href={`tel:${phoneNumber}`}>{phone}</a>,
    email: <a href={`mailto:${email}`}>{email}</a>,
  };
  return lines.map((line) => (
    <Told key={line} of={[line]}>
      {shown[line]}
    </Told>
  ));
}
