import '../index.js?stop';
