export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4f46e5"/><path d="M9 8h9l5 5v11H9z" fill="#fff"/><path d="M18 8v5h5" fill="#c7d2fe"/><path d="M12 17h8M12 20.500h6" stroke="#4f46e5" stroke-width="1.600" stroke-linecap="round"/></svg>\n';
