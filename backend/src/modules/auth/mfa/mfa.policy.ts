/** SQL, in a query over `users u`: whether the person has a passkey, */
export const hasPasskeySql = `exists (select from passkeys p where p.user_id = u.id)`;
/** an authenticator app that counts, */
export const hasAuthenticatorSql = `exists (
    select from authenticators a where a.user_id = u.id and a.confirmed_at is not null)`;
/** or any second factor. Recovery codes stand in for one, and are none. */
export const hasFactorSql = `(${hasPasskeySql} or ${hasAuthenticatorSql})`;
/** Whether this is an admin without one. Of anybody else nothing is looked up, because it is asked at every request. */
export const isStaffWithoutMfaSql = `case when u.is_super_admin or u.role = 'admin' then not ${hasFactorSql} else false end`;
