/** The page of sign-in, for who is not signed in. */
export const loadWelcome = () => import('./Welcome');
