import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { isLikelySignedIn, useCurrentUser, type CurrentUser } from '../api/current-user';
import { useSignOut } from '../api/use-sign-out';
import { initialOf, displayNameOf } from '../format/person';
import { DisclosureMenu } from './disclosure-menu';
import { MenuIcon } from './icons';
import { Logo } from './logo';
import { CurrentPlanBadge } from '../plan/current-plan-badge';
import { useManageSubscription } from '../plan/use-manage-subscription';
import { useRefreshPlanOnReturn } from '../plan/use-refresh-plan-on-return';
import { usePlanAbilities } from '../plan/use-subscription';
import { BillingGate } from '../site/billing-gate';
import './public-frame.css';

/** Header of the public pages; its links depend on whether a user is signed in. */
export function PublicHeader() {
  const { t } = useTranslation();
  const { data: user } = useCurrentUser();
  useRefreshPlanOnReturn();
  return (
    <header className="z-header">
      <div className="z-header-row">
        <Logo compact={Boolean(user)} />
        <nav className="z-nav" aria-label={t('nav.main')}>
          <NavLink to="/home">{t('nav.home')}</NavLink>
          <BillingGate>
            <NavLink to="/pricing">{t('nav.pricing')}</NavLink>
          </BillingGate>
        </nav>
        <div className="z-header-end">
          {user && <SignedIn user={user} />}
          {!user && (user === null || !isLikelySignedIn()) && <SignedOut />}
        </div>
      </div>
    </header>
  );
}

/** Header of a page within a flow: it shows the logo and has no links. */
export function BareHeader() {
  return (
    <header className="z-header">
      <div className="z-header-row">
        <Logo />
      </div>
    </header>
  );
}

function SignedIn({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const abilities = usePlanAbilities();
  const manage = useManageSubscription();
  return (
    <>
      <Link to="/dashboard" className="z-button z-wide-only">
        {t('nav.myDashboard')}
      </Link>
      <CurrentPlanBadge />
      <DisclosureMenu label={t('account.menu')} trigger={<PublicAvatar user={user} />}>
        <div className="z-menu-who">
          <strong>{displayNameOf(user)}</strong>
          <span className="z-second">{user.email}</span>
        </div>
        <Link to="/dashboard">{t('nav.dashboard')}</Link>
        <Link to="/settings">{t('nav.settings')}</Link>
        {abilities.manage && (
          <button type="button" disabled={manage.isPending} onClick={() => manage.mutate()}>
            {t('plan.manage')}
          </button>
        )}
        {abilities.upgrade && <Link to="/pricing">{t('plan.upgrade')}</Link>}
        <button type="button" onClick={() => signOut.mutate()}>
          {t('signOut.action')}
        </button>
      </DisclosureMenu>
    </>
  );
}

function PublicAvatar({ user }: { user: CurrentUser }) {
  const picture = user.profileImageUrl;
  return picture ? (
    <img className="z-avatar" src={picture} alt="" />
  ) : (
    <span className="z-avatar">{initialOf(user)}</span>
  );
}

function SignedOut() {
  const { t } = useTranslation();
  return (
    <>
      <Link to="/auth?mode=login" className="z-button z-button-quiet z-wide-only">
        {t('nav.signIn')}
      </Link>
      <Link to="/auth?mode=register" className="z-button z-wide-only">
        {t('nav.createAccount')}
      </Link>
      <DisclosureMenu label={t('nav.menu')} trigger={<MenuIcon />} className="z-narrow-only">
        <Link to="/home">{t('nav.home')}</Link>
        <BillingGate>
          <Link to="/pricing">{t('nav.pricing')}</Link>
        </BillingGate>
        <Link to="/auth?mode=login">{t('nav.signIn')}</Link>
        <Link to="/auth?mode=register">{t('nav.createAccount')}</Link>
      </DisclosureMenu>
    </>
  );
}
