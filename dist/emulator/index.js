import '../index.js?index';
