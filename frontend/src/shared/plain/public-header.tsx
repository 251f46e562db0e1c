import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { likelySignedIn, useCurrentUser, type CurrentUser } from '../api/current-user';
import { useSignOut } from '../api/use-sign-out';
import { initialOf, nameOf } from '../format/person';
import { DisclosureMenu } from './disclosure-menu';
import { MenuIcon } from './icons';
import { Logo } from './logo';
import { PlanState } from '../plan/plan-state';
import { useManageSubscription } from '../plan/use-manage-subscription';
import { usePlanOnReturn } from '../plan/use-plan-on-return';
import { usePlanAbilities } from '../plan/use-subscription';
import { WhereSold } from '../site/where-sold';
import './public-frame.css';

/** The bar of the public pages; what it offers depends on whether somebody is signed in. */
export function PublicHeader() {
  const { t } = useTranslation();
  const { data: user } = useCurrentUser();
  usePlanOnReturn();
  return (
    <header className="z-header">
      <div className="z-header-row">
        <Logo compact={Boolean(user)} />
        <nav className="z-nav" aria-label={t('nav.main')}>
          <NavLink to="/home">{t('nav.home')}</NavLink>
          <WhereSold>
            <NavLink to="/pricing">{t('nav.pricing')}</NavLink>
          </WhereSold>
        </nav>
        <div className="z-header-end">
          {user && <SignedIn user={user} />}
          {!user && (user === null || !likelySignedIn()) && <SignedOut />}
        </div>
      </div>
    </header>
  );
}

/** The bar of a page that is a step of something: it says whose it is, and leads nowhere else. */
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
  const can = usePlanAbilities();
  const manage = useManageSubscription();
  return (
    <>
      <Link to="/dashboard" className="z-button z-wide-only">
        {t('nav.myDashboard')}
      </Link>
      <PlanState />
      <DisclosureMenu label={t('account.menu')} face={<PlainAvatar user={user} />}>
        <div className="z-menu-who">
          <strong>{nameOf(user)}</strong>
          <span className="z-second">{user.email}</span>
        </div>
        <Link to="/dashboard">{t('nav.dashboard')}</Link>
        <Link to="/settings">{t('nav.settings')}</Link>
        {can.manage && (
          <button type="button" disabled={manage.isPending} onClick={() => manage.mutate()}>
            {t('plan.manage')}
          </button>
        )}
        {can.upgrade && <Link to="/pricing">{t('plan.upgrade')}</Link>}
        <button type="button" onClick={() => signOut.mutate()}>
          {t('signOut.action')}
        </button>
      </DisclosureMenu>
    </>
  );
}

function PlainAvatar({ user }: { user: CurrentUser }) {
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
      <DisclosureMenu label={t('nav.menu')} face={<MenuIcon />} className="z-narrow-only">
        <Link to="/home">{t('nav.home')}</Link>
        <WhereSold>
          <Link to="/pricing">{t('nav.pricing')}</Link>
        </WhereSold>
        <Link to="/auth?mode=login">{t('nav.signIn')}</Link>
        <Link to="/auth?mode=register">{t('nav.createAccount')}</Link>
      </DisclosureMenu>
    </>
  );
}
