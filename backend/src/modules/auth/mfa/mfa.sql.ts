/** SQL condition for queries over `users u`: the user has a passkey. */
export const hasPasskeySql = `exists (select from passkeys p where p.user_id = u.id)`;
/** SQL condition for queries over `users u`: the user has a confirmed authenticator app. */
export const hasAuthenticatorSql = `exists (
    select from authenticators a where a.user_id = u.id and a.confirmed_at is not null)`;
/** SQL condition for queries over `users u`: the user has a second factor. Recovery codes are not one. */
export const hasFactorSql = `(${hasPasskeySql} or ${hasAuthenticatorSql})`;
/** SQL condition: staff without a second factor. Others are not looked up, because this runs on every request. */
export const isStaffWithoutMfaSql = `case when u.is_super_admin or u.role = 'admin' then not ${hasFactorSql} else false end`;
